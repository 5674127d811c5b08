/*
 * Reads agon's questions and writes the answers: a line of JSON each way. C99 and nothing else. Debug with fprintf(stderr, …): standard
 * output belongs to the answers.
 */
#ifndef AGON_H
#define AGON_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define AGON_FUNCTION static __attribute__((unused))
#else
#define AGON_FUNCTION static
#endif

typedef enum { AGON_NULL, AGON_FALSE, AGON_TRUE, AGON_NUMBER, AGON_TEXT, AGON_LIST, AGON_OBJECT } agon_kind;

/* A value of JSON. The parts of a list or an object hang together by next. */
typedef struct agon_value {
  agon_kind kind;
  double number;
  char *text;
  char *key;
  struct agon_value *first;
  struct agon_value *next;
} agon_value;

/* The part of an object with this key, or NULL. */
AGON_FUNCTION const agon_value *agon_get(const agon_value *object, const char *key) {
  const agon_value *part = object ? object->first : NULL;
  while (part && !(part->key && strcmp(part->key, key) == 0)) part = part->next;
  return part;
}

/* The item of a list with this number, from 0, or NULL. */
AGON_FUNCTION const agon_value *agon_at(const agon_value *list, size_t i) {
  const agon_value *part = list ? list->first : NULL;
  while (part && i-- > 0) part = part->next;
  return part;
}

AGON_FUNCTION size_t agon_size(const agon_value *list) {
  size_t size = 0;
  const agon_value *part = list ? list->first : NULL;
  for (; part; part = part->next) size++;
  return size;
}

/* A number, else 0; a text, else ""; whether it is true. */
AGON_FUNCTION double agon_number(const agon_value *value) { return value ? value->number : 0; }
AGON_FUNCTION const char *agon_text(const agon_value *value) { return value && value->text ? value->text : ""; }
AGON_FUNCTION int agon_truth(const agon_value *value) { return value && value->kind == AGON_TRUE; }

/* All values of a line: texts stay in the line itself. They are forgotten before the next line. */
static agon_value *agon_values;
static size_t agon_used;

AGON_FUNCTION char *agon_append(char *to, unsigned code) {
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  *to++ = (char)(more == 0 ? code : (0xff00u >> (more + 1) & 0xff) | code >> 6 * more);
  while (more-- > 0) *to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
  return to;
}

AGON_FUNCTION unsigned agon_hex(char **at) {
  char digits[5] = {0};
  strncpy(digits, *at, 4);
  *at += strlen(digits);
  return (unsigned)strtoul(digits, NULL, 16);
}

/* Reads a text from its quote to the one that ends it, in its place: it never becomes longer. */
AGON_FUNCTION char *agon_quoted(char **at) {
  char *text = ++*at;
  char *to = text;
  while (**at && **at != '"') {
    char c = *(*at)++;
    if (c != '\\') {
      *to++ = c;
      continue;
    }
    c = *(*at)++;
    if (c == 'u') {
      unsigned code = agon_hex(at);
      if (code >= 0xd800 && code < 0xdc00 && strncmp(*at, "\\u", 2) == 0) {
        *at += 2;
        code = 0x10000 + ((code - 0xd800) << 10) + (agon_hex(at) - 0xdc00);
      }
      to = agon_append(to, code);
    } else {
      *to++ = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
    }
  }
  if (**at) ++*at;
  *to = '\0';
  return text;
}

AGON_FUNCTION agon_value *agon_read(char **at);

AGON_FUNCTION void agon_read_parts(char **at, agon_value *value, char close) {
  agon_value **end = &value->first;
  for (;;) {
    char *key = NULL;
    *at += strspn(*at, " \t\r\n,");
    if (!**at || **at == close) break;
    if (value->kind == AGON_OBJECT) {
      key = agon_quoted(at);
      *at += strspn(*at, " \t\r\n:");
    }
    *end = agon_read(at);
    (*end)->key = key;
    end = &(*end)->next;
  }
  if (**at) ++*at;
}

AGON_FUNCTION agon_value *agon_read(char **at) {
  agon_value *value = &agon_values[agon_used++];
  memset(value, 0, sizeof *value);
  *at += strspn(*at, " \t\r\n");
  if (**at == '{' || **at == '[') {
    value->kind = *(*at)++ == '{' ? AGON_OBJECT : AGON_LIST;
    agon_read_parts(at, value, value->kind == AGON_OBJECT ? '}' : ']');
  } else if (**at == '"') {
    value->kind = AGON_TEXT;
    value->text = agon_quoted(at);
  } else if (**at == 't' || **at == 'f' || **at == 'n') {
    value->kind = **at == 't' ? AGON_TRUE : **at == 'f' ? AGON_FALSE : AGON_NULL;
    *at += **at == 'f' ? 5 : 4;
  } else {
    char *from = *at;
    value->kind = AGON_NUMBER;
    value->number = strtod(from, at);
    if (*at == from) ++*at;
  }
  return value;
}

/* The JSON of a line, which is written into. Its values last until the next one. */
AGON_FUNCTION const agon_value *agon_parse(char *line) {
  free(agon_values);
  /* A value takes two characters at least. */
  agon_values = malloc((strlen(line) / 2 + 2) * sizeof *agon_values);
  agon_used = 0;
  if (!agon_values) exit(1);
  return agon_read(&line);
}

/* The next line of standard input, or NULL at its end. */
AGON_FUNCTION char *agon_line(void) {
  static char *line;
  static size_t room;
  size_t length = 0;
  for (;;) {
    if (room - length < 2) {
      room = room ? 2 * room : 65536;
      line = realloc(line, room);
      if (!line) exit(1);
    }
    if (!fgets(line + length, (int)(room - length), stdin)) return length > 0 ? line : NULL;
    length += strlen(line + length);
    if (line[length - 1] == '\n') return line;
  }
}

/* A whole number from 0 to n - 1: your own chance. A bot that takes its chance from nothing else plays the same again. */
AGON_FUNCTION size_t agon_below(size_t n) {
  static unsigned long long state;
  if (state == 0) state = getenv("AGON_SEED") ? strtoull(getenv("AGON_SEED"), NULL, 10) + 1 : 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (size_t)(state >> 33) % n;
}

/* Answers each question with choose(view, legal, count), until there are no more. */
AGON_FUNCTION int agon_play(const char *(*choose)(const agon_value *view, const char *const *legal, size_t count)) {
  for (char *line; (line = agon_line());) {
    const agon_value *message = agon_parse(line);
    const agon_value *list = agon_get(message, "legal");
    /* If legal is a shape, agon sends one example. */
    int listed = list && list->kind == AGON_LIST;
    size_t count = listed ? agon_size(list) : 1, i = 0;
    const char **legal;
    if (strcmp(agon_text(agon_get(message, "type")), "ask") != 0) continue;
    legal = malloc((count + 1) * sizeof *legal);
    if (!legal) return 1;
    legal[0] = agon_text(agon_get(message, "example"));
    for (const agon_value *action = listed ? list->first : NULL; action; action = action->next) legal[i++] = action->text;
    printf("{\"action\":\"");
    for (const char *c = choose(agon_get(message, "view"), legal, count); *c; c++) {
      if (*c == '"' || *c == '\\') putchar('\\');
      if ((unsigned char)*c < 0x20) printf("\\u%04x", *c);
      else putchar(*c);
    }
    /* The question's number shows which one is answered. */
    printf("\",\"n\":%.0f}\n", agon_number(agon_get(message, "n")));
    /* Without this the answer would stay in the program's own buffer. */
    fflush(stdout);
    free(legal);
  }
  return 0;
}

#endif
