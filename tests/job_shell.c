/* job_shell.c - a shell of one job: what it needs of job control, and lines of commands. */
#include "tests/job_shell.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int job_shell(int (*job)(void *data), void *data)
{
	signal(SIGTTOU, SIG_IGN);
	pid_t child = fork();
	if (child == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		_exit(job(data));
	}
	setpgid(child, child);
	tcsetpgrp(0, child);
	for (int stops = 1;; stops++) {
		int status;
		char command[64];
		if (waitpid(child, &status, WUNTRACED) != child)
			return 1;
		tcsetpgrp(0, getpgrp());
		if (!WIFSTOPPED(status)) {
			printf("job ended %d %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0,
			       WIFEXITED(status) ? WEXITSTATUS(status) : 0);
			return 0;
		}
		printf("job stopped %d\n", stops);
		fflush(stdout);
		if (!fgets(command, sizeof command, stdin))
			return 1;
		if (strcmp(command, "fg\n") == 0)
			tcsetpgrp(0, child);
		if (strcmp(command, "kill\n") == 0)
			kill(-child, SIGTERM);
		kill(-child, SIGCONT);
	}
}
