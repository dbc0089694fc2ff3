/* main.c - the program. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts(PACKAGE_STRING);
		return 0;
	}
	fprintf(stderr, "qkv: only --version is known so far\n");
	return 2;
}
