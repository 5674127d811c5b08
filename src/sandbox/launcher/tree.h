/*
 * tree: the plain files below a folder, packed into bytes and unpacked again. Packed, each is u32 length of its path,
 * u32 length of its contents, path, contents; one after the other.
 */
#ifndef AGON_TREE_H
#define AGON_TREE_H
#include "bytes.h"

enum {
    MAX_DEPTH = 32,       /* of folders that are packed */
    MAX_PATH_KEPT = 4000, /* bytes of a path in them, and one less at most */
};

/*
 * Packs the plain files below a folder, but what is mounted in it. Gives their bytes in all, also of those beyond
 * `most`, which are not packed; what is too deep or has too long a path makes that more than `most`.
 */
uint64_t pack_tree(const char *folder, bytes *into, uint64_t most);

/* Writes the files below a folder. What cannot be written is left out; gives -1 where the bytes are no tree. */
int unpack_tree(const char *folder, const uint8_t *from, size_t length);

/* Writes a plain file in place of whatever is there, its folders too. Gives 0, or -1 with errno. */
int put_file(const char *path, const uint8_t *content, size_t length);

#endif
