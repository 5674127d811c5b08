/* launcher: what the parts of the launcher offer each other, part by part. */
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

/* Prints what failed and why (printf; `%m` is errno) on standard error, and ends the launcher with exit code 70. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Nanoseconds of the monotonic clock. */
uint64_t now(void);

/* Moves a descriptor out of the way of a program's own; it is closed by an exec. Dies where there is no room. */
int high(int fd);

/*
 * Closes all descriptors from one on, or has the next exec close them: the program that started agon may have left
 * any of its own open.
 */
void close_from(int first, int on_exec);

/* Writes all bytes, also to a descriptor that does not block. Gives 0, or -1 with errno. */
int write_all(int fd, const uint8_t *from, size_t length);

/*
 * Reads the beginning of a file, whose short path is given as to printf, as a text of less than `room` bytes. Gives its
 * length; 0 where it cannot be read.
 */
size_t read_small(char *into, size_t room, const char *path, ...) __attribute__((format(printf, 3, 4)));

/* The same of a descriptor that stays open, from the file's beginning; -1: none. */
size_t read_again(int fd, char *into, size_t room);

int readable(int fd);

/* `room` bytes at `at`, of which the first `length` are taken. All zero: an empty one. */
typedef struct { uint8_t *at; size_t length, room; } bytes;

/* Makes room for so many bytes behind those that are taken. Dies where there is no memory. */
void reserve(bytes *b, size_t more);
void append(bytes *b, const void *from, size_t length);
void append32(bytes *b, uint32_t value);
void append64(bytes *b, uint64_t value);

/* Empties it. A buffer that a flood has made large is given back. */
void empty(bytes *b);

/* Reads once what is there, 64 KiB at most. Gives 0 at the end. */
int append_from(bytes *b, int fd);

/* limits */

/*
 * The length that `pin` gives, a secret once a filter lets no other through. Of it the kernel looks at the set's alone.
 */
extern uint64_t pin_key;

/* Binds a thread (0: this process) to a core; a negative one: to none. Gives 0, or 1 with errno. */
int pin(pid_t thread, int core);

/*
 * Gives a thread (0: this process) its share of a core in pieces of so many nanoseconds; 0: of the system's usual length. The share stays
 * the same. Where the kernel knows no such thing nothing changes.
 */
void set_slice(pid_t thread, uint64_t ns);

/* Has this process run on the cores of a thread, in pieces of the same length. Where that cannot be, nothing changes. */
void run_like(pid_t thread);

/* Open files, of the bot's programs alone: this process keeps its own out of their way, from 200 on. 0: no limit. */
extern struct rlimit files_limit;

/*
 * Sets a limit by its name: data, processes, files, file. Dies where there is no such limit, or it cannot be set.
 */
void set_limit(const char *name, uint64_t value);

void set_usual_limits(void);

/* frames */

extern int requests, answers; /* the frames' descriptors */
extern bytes outbox;          /* the answer that is being made */

/* A request: `length` bytes at `body`, which lie in the inbox. */
typedef struct { uint8_t kind; uint8_t *body; size_t length; } frame;

/* Reads once. Agon's end is this program's end. */
void read_requests(void);
/* Whether a whole frame is there; gives it. Dies where what is there is none. */
int frame_ready(frame *f);
/* Lets go of the frame that `frame_ready` gave. */
void frame_done(const frame *f);
/* Whether the inbox holds more than any frame has: nothing more is read before what is there was handled. */
int inbox_full(void);

/* Takes the next frame out of the inbox, while further requests are read. Gives whether there was one; its body is to be freed. */
int frame_take(frame *f);

/* Begins an answer in the outbox; what its body has is appended there, before it is sent. Where agon is gone, so is this program. */
void answer(enum answer_kind kind);
void send_answer(void);

/* Whether a request is about the program of this id: one that was sent for its forerunner may come late. */
int asked_for(uint32_t id, const frame *f);

/* Reads a number at the beginning of what is left, and steps over it. Gives whether it was there. */
int take32(uint8_t **at, const uint8_t *end, uint32_t *value);
/* The same of a text that ends with a NUL: where it begins, or 0. */
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

/* Room for the words of a request, used again for the next. All zero: none yet. */
typedef struct { char **at; size_t room; } word_list;

/* Reads a frame's body. Gives 0 where it is not well formed, or has more words than memory has room for. */
int parse_request(uint8_t *body, size_t length, request *r, word_list *words);

/*
 * What to start, with the descriptors of its standard streams. `failed`: the errno of an exec that did not come about.
 */
typedef struct { request *r; int in, out, err, failed; } start;

extern int nothing; /* /dev/null, open */

/*
 * Opens this process's own oom_score_adj. Where memory runs out, the kernel is to end what the bot has started, and not
 * this process: a program inherits how willingly it is ended, so this process takes on the most for the moment of its
 * start. A bot cannot change it back: Landlock closes /proc to it.
 */
void open_willing(void);

/* Starts it in its folder. Gives the pid and its pidfd, or 0 with errno. */
pid_t launch(start *s, int *pidfd);

/*
 * Has a new process call `child` in this process's memory, which stands still until the exec; why there was none is to be
 * left in `failed`. Gives the pid and, unless that is 0, its pidfd; or 0 with errno.
 */
pid_t start_child(int (*child)(void *), void *with, const int *failed, int *pidfd);

/* family */

extern pid_t keeper;      /* the warm parent, where there is one: it is no part of the family */
extern uint64_t password; /* what this process's own signals carry past its filters */

/* Waits until a child has ended, whose processor time, in ns, is added. Gives its status, as wait has it. */
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

/* Whether a process of the warm parent's, which has ended, has left others that run. Those of them that have ended are reaped. */
int leaves_processes(pid_t pid, uint64_t *cpu);

/* Kills and reaps what is left of the family; its processor time is added. */
void sweep(uint64_t *cpu);

/*
 * The family's calls that send SIGKILL, or make the kernel send it later, wait until this process has learnt of them
 * (`notice_kills`), and are then carried out. What was noticed since the program was started is all that is asked.
 */
extern int notices;      /* where they arrive; -1: the kernel cannot */
extern int family_kills; /* a SIGKILL may be the family's own */

/* Receives one call, which goes on. */
void heed(void);

/* Waits for a descriptor, and receives the family's calls meanwhile. Gives whether it is readable. */
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
/* What this process itself has waited for a core: so long what it sees may have happened before. */
uint64_t own_wait(void);

/* What the family has run, by the sandbox's cgroup; else what of it is there has run. */
uint64_t family_ran(void);

/* Begins the books of a family whose books are `last` already. */
void timing_begin(timing *t, uint64_t began);
/*
 * The same of a program that begins now. `forked`: what it has run and waited before that; id 0: it was not there yet;
 * `number`: the last number that was given before it began.
 */
void timing_begin_new(timing *t, uint64_t began, entry forked, uint64_t number);
/* The number that was given last in the sandbox's namespace, to a process or a thread; 0 where a cgroup counts CPU. */
uint64_t last_number(void);
/* What a task has run, and has waited for a core. */
entry entry_of_task(int32_t id);
/* From now on counts what comes after the last look. */
void timing_base(timing *t);
/*
 * Looks at the family: what it is credited since the beginning, as of `last.when`. This process may wait for its core in
 * the midst of that: the caller judges by that time, not by a later one.
 */
void timing_look(timing *t);
/* Looks, and judges what began then by the rule of clock.h: the one judge of all that runs in a sandbox. */
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

/* Opens the private folders, which are empty. Dies where one is not there. */
void open_private_folders(void);

/*
 * Empties the private folders where anything about them has changed: their change time shows it, and no program can set
 * it. Reading one changes no more than its access time, which the next turn could read.
 */
void clean_private_folders(void);

/*
 * Tidies the state folder after a turn; past its size it is put back as it was. Gives what it held then, else
 * LENGTH_NONE.
 */
uint32_t keep_state(void);

void fresh_folders(void);

/* Answers with the tree of a folder: u32 most, path. Dies where the request is not well formed. */
void tell_files(const frame *f);

/* Makes a folder hold a tree, and no other files: path, tree. Dies where the request is not well formed. */
void put_files(const frame *f);

/* warm */

/* Starts the parent that a frame names, from now on, and answers whether it is there. */
void warm_asked(const frame *f);

/*
 * Has a program that allows it forked from the parent, where it waits. Gives its pid and pidfd, or 0 where it is to be
 * started afresh. The parent is started again where it has gone.
 */
pid_t warm_fork(const request *r, int stays, int *pidfd);
/* Has it begin, with its streams; where that cannot be, or none was forked (0), starts it afresh. Gives as `launch`. */
pid_t warm_begin(start *s, pid_t forked, int *pidfd);
/* As `wait_for_end`, of one that does not stay. */
int warm_reap(pid_t pid, uint64_t *cpu);

/* turn */

void run_turn(request *r);

/* staying */

extern int bot_in, bot_out; /* the pipes of a program that stays; -1: there are none */

/* Starts it, in place of its forerunner, and answers whether it runs. */
void stay_start(request *r);

/* A request about it. What is about a forerunner is nothing to it, but where the request is to be answered it is. */
void stay_asked(const frame *f);

/*
 * Waits for a request, and does meanwhile what is to be done for the program that stays. Gives whether there is a
 * request.
 */
int stay_wait(void);

/* restrictions */

/*
 * Reads everywhere in the sandbox, writes in its private folders, its state folder and, unless they are -1, what is read
 * from `in` and written to `out`; above all nothing in /proc. Gives Landlock's version, or 0: there is none, or it failed.
 */
int restrict_files(int in, int out);

/* Only the calls of calls.h. `alike`: no memory that is shared and has no file. Gives whether that holds. */
int restrict_calls(int alike);

/*
 * Has this process notified of each call of the family that sends SIGKILL, or makes the kernel send it (`notices`). If
 * the kernel cannot, or who started agon listens already, nothing is noticed.
 */
void notice_kills(void);

/*
 * No call of the family sends SIGCONT, or makes the kernel send it later: once stopped, it stays so until the next
 * question. Gives whether that holds.
 */
int refuse_continues(void);

/* What it may be called as (launcher.c); the words begin behind its name. */

/* launcher spawner THREAD: serves agon's requests to start and to signal programs for that thread, until agon has ended. */
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
