# Says what is no text: invalid UTF-8 and NUL bytes.
print "\xff\xfe\x00\x80B\n";
