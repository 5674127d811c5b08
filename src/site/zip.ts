import { crc32 } from 'node:zlib'

/** A zip of texts by their paths, as they are. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const index: Buffer[] = []
  let at = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)]
    // From the version that reads it to the bytes of its name: the same in both places.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(UTF8, 2)
    facts.writeUInt16LE(FIRST_DAY, 8)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, name, data)
    const place = Buffer.alloc(14)
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    place.writeUInt32LE(at, 10)
    index.push(Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), facts, place, name)
    at += 4 + facts.length + name.length + data.length
  }
  const [kept, listed] = [Buffer.concat(parts), Buffer.concat(index)]
  const end = Buffer.alloc(18)
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(kept.length, 12)
  return Buffer.concat([kept, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

/** Names are UTF-8; and the first day that a zip can name. */
const UTF8 = 0x800
const FIRST_DAY = 0x21
