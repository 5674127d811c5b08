/*
 * folders: the folders of a sandbox that a bot may write: the private ones, emptied after a turn, and the state that it
 * may keep.
 */
#define _GNU_SOURCE
#include "folders.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base.h"
#include "tree.h"
#include "wipe.h"

enum { FREE_NAMES = 1024 }; /* bytes of names in a state folder that do not count */

const char *private_folders[MAX_PRIVATE];
int private_fds[MAX_PRIVATE], private_count;
static struct timespec ctimes[MAX_PRIVATE], atimes[MAX_PRIVATE]; /* of the private folders, when they were empty last */

const char *state_folder;
uint64_t state_limit;
static bytes state_good; /* its contents after the last turn that kept within the limit */

void open_private_folders(void) {
    for (int i = 0; i < private_count; i++) {
        private_fds[i] = open(private_folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        struct stat s;
        if (private_fds[i] < 0 || fstat(private_fds[i], &s)) die("Cannot open the folder %s: %m", private_folders[i]);
        private_fds[i] = high(private_fds[i]);
        ctimes[i] = s.st_ctim;
        atimes[i] = s.st_atim;
    }
}

void clean_private_folders(void) {
    for (int i = 0; i < private_count; i++) {
        struct stat s;
        if (fstat(private_fds[i], &s) || (!memcmp(&s.st_ctim, &ctimes[i], sizeof s.st_ctim) &&
                                          !memcmp(&s.st_atim, &atimes[i], sizeof s.st_atim)))
            continue;
        wipe_tree(private_folders[i]);
        fchmod(private_fds[i], 0700);
        struct timespec zero[2] = {{0, 0}, {0, 0}};
        futimens(private_fds[i], zero);
        syscall(SYS_fremovexattr, private_fds[i], "user.note");
        if (fstat(private_fds[i], &s)) continue;
        ctimes[i] = s.st_ctim;
        atimes[i] = s.st_atim;
    }
}

uint32_t keep_state(void) {
    static bytes fresh;
    if (!state_folder) return LENGTH_NONE;
    fresh.length = 0;
    uint64_t names = tidy_tree(state_folder);
    uint64_t held = pack_tree(state_folder, &fresh, state_limit + 65536) + clock_less(names, FREE_NAMES);
    if (held > state_limit) {
        wipe_tree(state_folder);
        unpack_tree(state_folder, state_good.at, state_good.length);
        return held > LENGTH_LARGE ? LENGTH_LARGE : held;
    }
    bytes swap = state_good;
    state_good = fresh;
    fresh = swap;
    return LENGTH_NONE;
}

void fresh_folders(void) {
    for (int i = 0; i < private_count; i++) ctimes[i].tv_nsec = -1;
    clean_private_folders();
    if (!state_folder) return;
    wipe_tree(state_folder);
    state_good.length = 0;
}

void tell_files(const frame *f) {
    static bytes tree;
    uint8_t *at = f->body, *end = f->body + f->length;
    uint32_t most;
    if (f->length < 6 || end[-1] || !take32(&at, end, &most)) die("A request for folders' files names no folder");
    answer(ANSWER_FILES);
    for (const char *folder; at < end && (folder = take_text(&at, end));) {
        tree.length = 0;
        append64(&outbox, pack_tree(folder, &tree, most));
        append32(&outbox, tree.length);
        append(&outbox, tree.at, tree.length);
    }
    empty(&tree);
    send_answer();
}

void put_files(const frame *f) {
    const char *folder = (char *)f->body;
    if (!f->length || !memchr(f->body, 0, f->length)) die("A request with files for a folder names no folder");
    size_t begin = strlen(folder) + 1, length = f->length - begin;
    wipe_tree(folder);
    unpack_tree(folder, f->body + begin, length);
    if (!state_folder || strcmp(folder, state_folder)) return;
    state_good.length = 0;
    append(&state_good, f->body + begin, length);
}
