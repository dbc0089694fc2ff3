/* empty_curses.c - the least that a program on curses can be: what start-up is measured against. */
#include <curses.h>

int main(void)
{
	initscr();
	addstr("empty");
	refresh();
	getch();
	endwin();
	return 0;
}
