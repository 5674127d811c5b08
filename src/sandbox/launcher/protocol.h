/*
 * protocol: the names of what is in the frames, which docs/sandbox.md specifies. src/sandbox/protocol.ts has the same
 * for agon; a test holds the two equal.
 *
 * A frame is u32 length of what follows, u8 kind, body; all numbers are little-endian.
 */
#ifndef AGON_PROTOCOL_H
#define AGON_PROTOCOL_H

enum protocol {
    PROTOCOL_VERSION = 6,           /* sent in the first frame */
    PROTOCOL_MAX_FRAME = 100663296, /* bytes behind the length, at most */
};

/* What agon asks. */
enum request_kind {
    REQUEST_TURN = 'T',     /* run a program to its end */
    REQUEST_START = 'S',    /* start a program that stays */
    REQUEST_WARM = 'I',     /* start the warm parent */
    REQUEST_KILL = 'K',     /* end the turn that runs, or the program that stays */
    REQUEST_WATCH = 'W',    /* watch a question's time */
    REQUEST_ANSWERED = 'A', /* the watched question was answered */
    REQUEST_CONTINUE = 'C', /* what stopped at the end of its time goes on */
    REQUEST_SUSPEND = 'Z',  /* stop the program that stays until the next question */
    REQUEST_WAKE = 'Y',     /* it is asked next: it goes on */
    REQUEST_FRESH = 'F',    /* empty all that can be written */
    REQUEST_FILES = 'G',    /* list the files of folders */
    REQUEST_PUT = 'P',      /* make a folder hold these files */
    REQUEST_OPENED = 'O',   /* agon's ends of the pipes are open */
    REQUEST_BIND = 'B',     /* run on one core */
    REQUEST_SPAWN = 'N',    /* of a spawner: start a program */
    REQUEST_SIGNAL = 'Q',   /* of a spawner: send a signal to one */
};

/* The launcher's reports. */
enum answer_kind {
    ANSWER_HELLO = 'H',    /* the first, unasked */
    ANSWER_PIPES = 'O',    /* before it, if a program is to stay: the pipes are there */
    ANSWER_RESULT = 'R',   /* a turn has ended */
    ANSWER_STARTED = 'S',  /* the program that stays was started, or not */
    ANSWER_WARM = 'I',     /* the warm parent is there, or not */
    ANSWER_ENDED = 'X',    /* the program that stays has ended */
    ANSWER_ERRORS = 'E',   /* it wrote to standard error */
    ANSWER_LATE = 'L',     /* the watched question's time is up, and its family stands still */
    ANSWER_MEASURES = 'M', /* measures of a watched question */
    ANSWER_AWAKE = 'Y',    /* what stood still goes on */
    ANSWER_FILES = 'G',    /* the files of folders */
    ANSWER_SPAWNED = 'N',  /* a spawner's: a program runs, or could not be started */
    ANSWER_GONE = 'Q',     /* a spawner's: it has ended */
};

/* Flags of a turn's request. */
enum turn_flag {
    TURN_WIPE = 1,   /* empty the private folders afterwards */
    TURN_STDIN = 2,  /* there is standard input; else the null device */
    TURN_PUT = 4,    /* write the file before */
    TURN_FETCH = 8,  /* read it afterwards */
    TURN_WARM = 16,  /* it may be forked from the warm parent */
};

/* How a program ended. */
enum end { END_EXITED = 0, END_SIGNALLED = 1, END_NOT_STARTED = 2 };

/* Why the launcher ended it. */
enum stop {
    STOP_NONE = 0,
    STOP_TIME = 1,
    STOP_STDOUT = 2,
    STOP_STDERR = 3,
    STOP_ASKED = 4, /* agon asked for it */
    STOP_BUSY = 5,  /* the hard stop came before its own time was up */
};

/* Further bits beside an end. */
enum note {
    NOTE_FAMILY = 1, /* a SIGKILL may be its family's own */
    NOTE_KNOWN = 2,  /* whether it is, is known */
};

/* In place of a length. */
#define LENGTH_NONE 0xffffffffu  /* there is nothing */
#define LENGTH_LARGE 0xfffffffeu /* there is more than was asked for */

#endif
