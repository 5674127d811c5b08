/* launcher: what its parts offer each other. */
#ifndef AGON_LAUNCHER_H
#define AGON_LAUNCHER_H
#define _GNU_SOURCE /* it comes before all others */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "protocol.h"

/* base */

#define SECOND CLOCK_SECOND /* ns */
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* Prints a message (printf; `%m` is errno) on standard error, and exits with code 70. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Nanoseconds of the monotonic clock. */
uint64_t now(void);

/* Moves a descriptor out of the way of a program's own; it is closed by an exec. Dies where there is no room. */
int high(int fd);

/* Closes all descriptors from one on, or has the next exec do it: what started agon may have left some open. */
void close_from(int first, int on_exec);

/* Writes all bytes, also to a descriptor that does not block. Gives 0, or -1 with errno. */
int write_all(int fd, const uint8_t *from, size_t length);

/*
 * Reads the beginning of a file (short path, as printf) as a text of less than `room` bytes. Gives its length; 0:
 * unreadable.
 */
size_t read_small(char *into, size_t room, const char *path, ...) __attribute__((format(printf, 3, 4)));

/* The same of a descriptor that stays open; -1: none. */
size_t read_again(int fd, char *into, size_t room);

int readable(int fd);

/* `room` bytes at `at`, the first `length` taken. All zero: empty. */
typedef struct { uint8_t *at; size_t length, room; } bytes;

/* Makes room for so many more bytes. Dies where there is no memory. */
void reserve(bytes *b, size_t more);
void append(bytes *b, const void *from, size_t length);
void append32(bytes *b, uint32_t value);
void append64(bytes *b, uint64_t value);

/* Empties it, and gives back what a flood has made large. */
void empty(bytes *b);

/* Reads once what is there, 64 KiB at most. Gives 0 at the end. */
int append_from(bytes *b, int fd);

/* limits */

/*
 * The length that `pin` gives, a secret once a filter lets no other through. The kernel ignores what is beyond the
 * set's.
 */
extern uint64_t pin_key;

/* Binds a thread (0: this process) to a core; a negative one: to none. Gives 0, or 1 with errno. */
int pin(pid_t thread, int core);

/*
 * Gives a thread (0: this process) its unchanged share of a core in pieces of so many ns; 0: of the system's usual
 * length. Older kernels change nothing.
 */
void set_slice(pid_t thread, uint64_t ns);

/* Has this process run on a thread's cores, in pieces of the same length; where it cannot, nothing changes. */
void run_like(pid_t thread);

/* Open files of the bot's programs: this process keeps its own from 200 on. 0: no limit. */
extern struct rlimit files_limit;

/* Sets a limit: data, processes, files or file. Dies where it cannot. */
void set_limit(const char *name, uint64_t value);

void set_usual_limits(void);

/* frames */

extern int requests, answers; /* the frames' descriptors */
extern bytes outbox;          /* the answer that is being made */

/* A request: `length` bytes at `body`, which lie in the inbox. */
typedef struct { uint8_t kind; uint8_t *body; size_t length; } frame;

/* Reads once. Agon's end is this program's end. */
void read_requests(void);
/* Gives a frame, if it is there whole. Dies where what is there is none. */
int frame_ready(frame *f);
/* Lets go of the frame that `frame_ready` gave. */
void frame_done(const frame *f);
/* Whether the inbox holds more than any frame has: it is handled before more is read. */
int inbox_full(void);

/* Takes the next frame out of the inbox, while more requests are read. Gives whether there was one; free its body. */
int frame_take(frame *f);

/*
 * Begins an answer in the outbox, where its body is appended before it is sent. Ends this program where agon is gone.
 */
void answer(enum answer_kind kind);
void send_answer(void);

/* Whether a request is about the program of this id: one for its forerunner may come late. */
int asked_for(uint32_t id, const frame *f);

/* Reads a number and steps over it. Gives whether it was there. */
int take32(uint8_t **at, const uint8_t *end, uint32_t *value);
/* The same of a text with a NUL at its end: where it begins, or 0. */
char *take_text(uint8_t **at, const uint8_t *end);

/* program */

/* All texts and bytes lie in the frame. The word before argv[0] is free. */
typedef struct {
    uint32_t id, flags, out_cap, err_cap, input_length, file_length;
    uint64_t limit; /* ns */
    char *folder, *file;
    char **argv, **env;
    uint32_t argc, envc;
    uint8_t *input, *content;
} request;

/* Room for a request's words, used again. All zero: none yet. */
typedef struct { char **at; size_t room; } word_list;

/* Reads a frame's body. Gives 0 where it is malformed, or memory has no room for its words. */
int parse_request(uint8_t *body, size_t length, request *r, word_list *words);

/* What to start, with its standard streams. `failed`: the errno of an exec that failed. */
typedef struct { request *r; int in, out, err, failed; } start;

extern int nothing; /* /dev/null, open */

/*
 * Opens this process's oom_score_adj. Where memory runs out, the kernel is to end the bot's programs, not this process:
 * they inherit the score, so this process takes on the most while it starts one. A bot cannot change it back: Landlock
 * closes /proc to it.
 */
void open_willing(void);

/* Starts it in its folder. Gives the pid and its pidfd, or 0 with errno. */
pid_t launch(start *s, int *pidfd);

/*
 * Has a new process call `child` in this process's memory; this one stands still until the exec, or until `failed` says
 * why there is none. Gives the pid and, unless `pidfd` is 0, its pidfd; or 0 with errno.
 */
pid_t start_child(int (*child)(void *), void *with, const int *failed, int *pidfd);

/* family */

extern pid_t keeper;      /* the warm parent, or 0; no part of the family */
extern uint64_t password; /* what this process's own signals carry past its filters */

/* Waits for a child's end, and adds its processor time (ns). Gives its status, as wait does. */
int wait_for_end(pid_t pid, uint64_t *cpu);

/* Calls for each process of the family. */
void each_process(void (*call)(pid_t, void *), void *with);
/* Calls for each thread of a process. */
void each_task(pid_t pid, void (*call)(pid_t, void *), void *with);
/* Calls for each child of a process. Gives 0 where the kernel does not list them. */
int each_child(pid_t pid, void (*call)(pid_t, void *), void *with);

void send_signal(pid_t pid, int signal);
/* Signals all of the family: without a warm parent in one call, in which the kernel lets nothing fork away. */
void signal_family(int signal);

/* Whether an ended process of the warm parent's has left others that run. Reaps those that have ended. */
int leaves_processes(pid_t pid, uint64_t *cpu);

/* Kills and reaps what is left of the family; its processor time is added. */
void sweep(uint64_t *cpu);

/*
 * The family's calls that send SIGKILL, or make the kernel send it later, wait until this process has learnt of them
 * (`notice_kills`), then go on. Only those since the program's start matter.
 */
extern int notices;      /* where they arrive; -1: the kernel cannot */
extern int family_kills; /* a SIGKILL may be the family's own */

/* Receives one call, which goes on. */
void heed(void);

/* Waits for a descriptor, receiving the family's calls. Gives whether it is readable. */
int wait_for(int fd, uint64_t ns);

/* NOTE_FAMILY and NOTE_KNOWN, as far as they hold. */
uint32_t killers(void);

/* timing */

/* `id`: a task; or minus a process. */
typedef struct { int32_t id; uint64_t ran, waited, unbooked; int runnable; } entry;
typedef struct { entry *at; size_t count, room; uint64_t when; } books;
typedef struct {
    books base, last;          /* at the beginning, and at the last look */
    uint64_t began, head;      /* of the question; what is credited of the time before `base` */
    uint64_t group, own;       /* CPU of the cgroup, and of this process in it, at `base` */
    uint64_t sure, maybe, cpu; /* what the last look came to (clock.h); `cpu` since `base` */
    uint64_t longest;          /* what the task ran that ran longest, since `base` */
    uint64_t number, seen;     /* the last process number that was given at `base`, and at the last look */
    int lost;                  /* something of the family has ended since `base`: what it ran is not known */
} timing;

extern int group_cpu; /* the file with the CPU time of the sandbox's cgroup, or -1 */

void open_own_books(void);
/* What this process has waited for a core: what it sees may have happened so long before. */
uint64_t own_wait(void);

/* What the family has run, by the sandbox's cgroup; else what those there have run. */
uint64_t family_ran(void);

/* Begins the books of a family whose books are `last` already. */
void timing_begin(timing *t, uint64_t began);
/*
 * The same of a program that begins now. `forked`: what it ran and waited before; id 0: it was not there; `number`: the
 * last number given before it began.
 */
void timing_begin_new(timing *t, uint64_t began, entry forked, uint64_t number);
/* The last process or thread number given in the sandbox's namespace; 0 where a cgroup counts CPU. */
uint64_t last_number(void);
/* What a task has run, and has waited for a core. */
entry entry_of_task(int32_t id);
/* From now on counts what comes after the last look. */
void timing_base(timing *t);
/*
 * Looks at what the family is credited since the beginning, as of `last.when`. This process may wait for its core
 * meanwhile: callers judge by that time, not a later one.
 */
void timing_look(timing *t);
/* Looks, and judges by the rule of clock.h: the one judge of all that runs in a sandbox. */
look timing_judge(timing *t, uint64_t limit);
/* Looks at a program that has ended, and not been reaped. */
void timing_end(timing *t);

/* folders */

enum { MAX_PRIVATE = 8 };
extern const char *private_folders[MAX_PRIVATE];
extern int private_fds[MAX_PRIVATE], private_count; /* open once `open_private_folders` was called */
extern const char *state_folder; /* the folder that a process per turn may keep, or 0 */
extern uint64_t state_limit;     /* bytes that it may hold */

/* Writes a plain file in place of whatever is there, its folders too. Gives 0, or -1 with errno. */
int put_file(const char *path, const uint8_t *content, size_t length);

/* Opens the private folders, still empty. Dies where one is lacking. */
void open_private_folders(void);

/*
 * Empties the private folders that have changed, by their change time, which no program can set. Reading one changes
 * only its access time, which the next turn could read.
 */
void clean_private_folders(void);

/*
 * Tidies the state folder after a turn; past its size, puts it back as it was and gives what it held, else LENGTH_NONE.
 */
uint32_t keep_state(void);

void fresh_folders(void);

/* Answers with the tree of a folder: u32 most, path. Dies where the request is malformed. */
void tell_files(const frame *f);

/* Makes a folder hold a tree, and no other files: path, tree. Dies where the request is malformed. */
void put_files(const frame *f);

/* warm */

/* Starts the parent that a frame names, and answers whether it is there. */
void warm_asked(const frame *f);

/*
 * Has a program that allows it forked from the parent, where it waits. Gives its pid and pidfd, or 0: start it afresh.
 * Restarts a parent that has gone.
 */
pid_t warm_fork(const request *r, int stays, int *pidfd);
/* Has it begin, with its streams; where it cannot, or none was forked (0), starts it afresh. Gives as `launch`. */
pid_t warm_begin(start *s, pid_t forked, int *pidfd);
/* As `wait_for_end`, of one that does not stay. */
int warm_reap(pid_t pid, uint64_t *cpu);

/* turn */

void run_turn(request *r);

/* staying */

extern int bot_in, bot_out; /* the pipes of a program that stays; -1: there are none */

/* Starts it, in place of its forerunner, and answers whether it runs. */
void stay_start(request *r);

/* Handles a request about it. One about a forerunner does nothing, but is answered if it has an answer. */
void stay_asked(const frame *f);

/* Waits for a request, and serves the program that stays meanwhile. Gives whether there is a request. */
int stay_wait(void);

/* restrictions */

/*
 * Allows to read everywhere in the sandbox, and to write in its private folders, its state folder and, unless -1, the
 * pipes `in` and `out`; above all nothing in /proc. Gives Landlock's version, or 0: there is none, or it failed.
 */
int restrict_files(int in, int out);

/* Only the calls of calls.h. `alike`: no shared memory without a file. Gives whether that holds. */
int restrict_calls(int alike);

/*
 * Has this process notified (`notices`) of each call of the family that sends SIGKILL, or makes the kernel send it; not
 * where the kernel cannot, or what started agon listens already.
 */
void notice_kills(void);

/*
 * No call of the family sends SIGCONT, now or later: once stopped, it stays so until the next question. Gives whether
 * that holds.
 */
int refuse_continues(void);

/* What it may be called as (launcher.c); the words begin behind its name. */

/* launcher spawner THREAD: starts and signals programs for that thread until agon ends. */
_Noreturn void spawner(int argc, char **argv);

/*
 * launcher room [--user N] [--cgroup FOLDER]… [--cpu FILE] [--core N] [--slice NS] [--pipes] [--stage PATH]…
 *               [--data FD TEXT]… -- program argument…
 *
 * Gives the exit code of the program.
 */
int room(int argc, char **argv);

/*
 * launcher sandbox [--pipes] [--cpu] [--counted] [--state FOLDER BYTES] [--private FOLDER]… [--limit NAME VALUE]… [--restrict]
 *
 * Requests are read from descriptor 0, answers go to 1; 3 and 4 are the pipes of a program that stays (--pipes), 5 is
 * the file with the CPU time of the sandbox's cgroup (--cpu). --counted: a cgroup limits the sandbox's memory, of
 * whatever kind.
 */
_Noreturn void sandbox(int argc, char **argv);

#endif
