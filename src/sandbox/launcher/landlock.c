/* landlock: what can be written: the private folders of the sandbox alone, above all nothing in /proc. */
#define _GNU_SOURCE
#include "landlock.h"
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base.h"
#include "folders.h"

/* The kernel's own headers are not everywhere; these are its numbers. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { EXECUTE = 1, WRITE_FILE = 2, READ_FILE = 4, READ_DIR = 8, TRUNCATE = 1 << 14 };
struct ruleset { uint64_t fs, net, scoped; };
struct __attribute__((packed)) beneath { uint64_t allowed; int32_t parent; };

static void allow(int rules, int parent, uint64_t what) {
    struct beneath rule = {what, parent};
    syscall(ADD_RULE, rules, 1, &rule, 0);
}
static void allow_path(int rules, const char *path, uint64_t what) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    allow(rules, fd, what);
    close(fd);
}

int restrict_files(int in, int out) {
    int version = syscall(CREATE_RULESET, 0, 0, 1);
    if (version < 1) return 0;
    uint64_t files = version >= 3 ? 0x7fff : version == 2 ? 0x3fff : 0x1fff;
    struct ruleset set = {files, 0, version >= 6 ? 3 : 0};
    int rules = syscall(CREATE_RULESET, &set, version >= 6 ? 24 : version >= 4 ? 16 : 8, 0);
    if (rules < 0) return 0;
    allow_path(rules, "/", EXECUTE | READ_FILE | READ_DIR);
    /* Not /dev/zero: mapped for writing it is memory that counts for no process. */
    static const char *const devices[] = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
    for (int i = 0; i < COUNT(devices); i++) allow_path(rules, devices[i], (WRITE_FILE | TRUNCATE) & files);
    for (int i = 0; i < private_count; i++) allow(rules, private_fds[i], files);
    if (state_folder) allow_path(rules, state_folder, files);
    if (in >= 0) allow(rules, in, READ_FILE);
    if (out >= 0) allow(rules, out, WRITE_FILE);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int failed = syscall(RESTRICT_SELF, rules, 0);
    close(rules);
    return failed ? 0 : version;
}
