/* sandbox: the launcher inside: puts the restrictions on itself, then answers agon's requests until agon ends. */
#include "launcher.h"

typedef struct { int restricted, pipes, cpu, counted; } options;

/* Reads the words that it was called with; limits are set at once. */
static options parse_options(int argc, char **argv) {
    options o = {0};
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--pipes")) o.pipes = 1;
        else if (!strcmp(argv[i], "--cpu")) o.cpu = 1;
        else if (!strcmp(argv[i], "--counted")) o.counted = 1;
        else if (!strcmp(argv[i], "--restrict")) o.restricted = 1;
        else if (!strcmp(argv[i], "--state") && i + 2 < argc) {
            state_folder = argv[++i];
            state_limit = strtoull(argv[++i], 0, 10);
        } else if (!strcmp(argv[i], "--private") && i + 1 < argc && private_count < MAX_PRIVATE)
            private_folders[private_count++] = argv[++i];
        else if (!strcmp(argv[i], "--limit") && i + 2 < argc) {
            set_limit(argv[i + 1], strtoull(argv[i + 2], 0, 10));
            i += 2;
        } else die("The word %s is unknown, or lacks what belongs to it", argv[i]);
    }
    return o;
}

static void no_op(int signal) { (void)signal; }

/* What this process is to the kernel: who ends it, and what it ends with. */
static void settle(void) {
    open_willing();
    set_usual_limits();
    prctl(PR_SET_DUMPABLE, 0);
    struct sigaction ignored = {.sa_handler = no_op};
    sigaction(SIGPIPE, &ignored, 0); /* a handler, because SIG_IGN would be inherited */
}

/* Moves its descriptors out of the programs' way, and opens those that it needs itself. */
static void settle_descriptors(const options *o) {
    requests = high(0);
    answers = high(1);
    if (o->pipes) {
        bot_in = high(3);
        bot_out = high(4);
    }
    if (o->cpu) group_cpu = high(5);
    close_from(3, 1);
    open_own_books();
    /* The first three stay taken: a pipe's end with its final number would close on the exec. */
    nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, 1) < 0) die("Cannot open /dev/null: %m");
    nothing = fcntl(nothing, F_DUPFD_CLOEXEC, 200);
    open_private_folders();
}

/*
 * Puts on the restrictions, unless a test with a sanitizer goes without, and reports which hold. Without a filter of
 * calls no bot is started: its sandbox would not hold (host-error.ts knows the message).
 */
static void restrict_and_greet(const options *o) {
    int landlock = 0;
    if (o->restricted) {
        landlock = restrict_files(bot_in, bot_out);
        if (syscall(SYS_getrandom, &password, sizeof password, 0) != sizeof password) die("Cannot draw a password: %m");
        notice_kills();
        if ((o->pipes && !refuse_continues()) || !restrict_calls(!o->counted)) die("Cannot filter system calls: %m");
    }
    answer(ANSWER_HELLO);
    append32(&outbox, PROTOCOL_VERSION);
    append32(&outbox, landlock);
    append32(&outbox, notices >= 0);
    send_answer();
}

static void start_asked(const frame *f) {
    static word_list words;
    request r;
    if (!parse_request(f->body, f->length, &r, &words))
        die("A request of kind %c to start a program is not well formed (%zu bytes)", f->kind, f->length);
    if (f->kind == REQUEST_TURN) run_turn(&r);
    else stay_start(&r);
}

static void bind_task(pid_t task, void *core) { pin(task, *(int32_t *)core); }
static void bind_process(pid_t pid, void *core) { each_task(pid, bind_task, core); }

/* Binds this process and what runs here; what is started meanwhile has its parent's core. */
static void bind_asked(const frame *f) {
    int32_t core;
    if (f->length != sizeof core) die("A request to bind has %zu bytes, not 4", f->length);
    memcpy(&core, f->body, sizeof core);
    pin(0, core);
    if (keeper) bind_process(keeper, &core);
    /* Twice: what the first look missed was started by something not yet bound. */
    for (int times = 0; times < 2; times++) each_process(bind_process, &core);
}

static void handle(const frame *f) {
    switch (f->kind) {
    case REQUEST_TURN:
    case REQUEST_START: start_asked(f); return;
    case REQUEST_KILL:
    case REQUEST_WATCH:
    case REQUEST_ANSWERED:
    case REQUEST_CONTINUE:
    case REQUEST_SUSPEND:
    case REQUEST_WAKE: stay_asked(f); return;
    case REQUEST_FRESH: fresh_folders(); return;
    case REQUEST_FILES: tell_files(f); return;
    case REQUEST_PUT: put_files(f); return;
    case REQUEST_WARM: warm_asked(f); return;
    case REQUEST_BIND: bind_asked(f); return;
    default: die("A request of kind number %u: there is none", f->kind);
    }
}

void sandbox(int argc, char **argv) {
    /* It kills all that it can reach. */
    if (getpid() != 1) die("A sandbox is process 1 of a namespace of its own, and this is process %d", getpid());
    options o = parse_options(argc, argv);
    settle();
    settle_descriptors(&o);
    restrict_and_greet(&o);
    for (frame f;;) {
        while (frame_take(&f)) {
            handle(&f);
            free(f.body);
        }
        if (stay_wait()) read_requests();
    }
}
