import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** A file of an archive as a test wants it, with lies where it says so. */
export interface Packed {
  readonly name: string
  readonly data?: string | Buffer
  /** Of tar: '0' a file, '1' a hard link, '2' a link, '3' a device, '5' a folder, '6' a pipe. */
  readonly type?: string
  readonly link?: string
  /** The system's mode with the kind of file, as zip has it: 0o120777 is a link. */
  readonly mode?: number
  /** The size that is declared, whatever there is. */
  readonly size?: number
  /** Of zip: it is compressed. */
  readonly deflated?: true
  /** Of zip: it has a password. */
  readonly locked?: true
  /** Of zip: its data is that of the file with this index, which stands there once. */
  readonly sameAs?: number
  /** Of zip: the system that made it; 3 is Unix, 0 is Windows. */
  readonly system?: number
  /** Of zip: the bytes of its name, which is not said to be UTF-8. */
  readonly nameBytes?: Buffer
}

/** A tar archive. */
export function tarOf(files: readonly Packed[]): Buffer {
  const blocks = files.flatMap(({ name, data = '', type = '0', link = '', mode = 0o644, size }) => {
    const bytes = Buffer.from(data)
    const head = Buffer.alloc(512)
    head.write(name, 0, 100, 'utf8')
    head.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
    head.write('0000000\u00000000000\u0000', 108)
    head.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124)
    head.write('00000000000\0', 136)
    head.write('        ', 148)
    head.write(type, 156)
    head.write(link, 157, 100, 'utf8')
    head.write('ustar\u000000', 257)
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export const tarGzOf = (files: readonly Packed[]): Buffer => gzipSync(tarOf(files))

/** A zip archive. */
export function zipOf(files: readonly Packed[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const places: number[] = []
  let at = 0
  for (const { name, data = '', mode = 0o100644, size, deflated, locked, sameAs, system = 3, nameBytes } of files) {
    const whole = Buffer.from(data)
    const bytes = deflated ? deflateRawSync(whole) : whole
    const title = nameBytes ?? Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE((locked ? 1 : 0) | (nameBytes === undefined ? 0x0800 : 0), 2)
    common.writeUInt16LE(deflated ? 8 : 0, 4)
    common.writeUInt32LE(crc32(whole), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(size ?? whole.length, 18)
    common.writeUInt16LE(title.length, 22)
    const place = sameAs === undefined ? at : (places[sameAs] ?? 0)
    places.push(place)
    if (sameAs === undefined) {
      parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, title, bytes)
      at += 4 + 26 + title.length + bytes.length
    }
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(place, 10)
    directory.push(Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, system]), common, rest, title)
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}
