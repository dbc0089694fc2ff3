/* job_shell.h - a shell of one job: what it needs of job control, and lines of commands. */
#ifndef TESTS_JOB_SHELL_H
#define TESTS_JOB_SHELL_H

/* Runs job(data) as the one job in front, in a process of its own. Says "job stopped N" on
 * standard output each time it stops, and reads a command: fg continues it in front, bg
 * behind, kill ends it. Says "job ended SIGNAL STATUS" at its end. Exit status. */
int job_shell(int (*job)(void *data), void *data);

#endif
