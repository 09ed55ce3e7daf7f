// WAV files, written by the byte: of every kind of sample, and with headers that lie.

export interface Wave {
  seconds: number
  /** Samples a second. */
  rate?: number
  channels?: number
  /** Of a sample. */
  bits?: number
  /** 1 is whole numbers, 3 floating point, 6 A-law, 7 µ-law, 0xfffe says it in an extension. */
  format?: number
  /** What the header says of the size of the sound and of the whole, instead of the truth. Bytes. */
  dataSize?: number
  riffSize?: number
  /** What the header says of the bytes of a second, instead of the truth. */
  byteRate?: number
  /** Chunks between the format and the sound, and behind the sound. */
  before?: Buffer[]
  behind?: Buffer[]
}

export function chunk(id: string, data: Buffer, size = data.length): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32LE(size >>> 0, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** Noise, so that nothing in it looks like another format. */
export function wave({
  seconds,
  rate = 16_000,
  channels = 1,
  bits = 16,
  format = 1,
  dataSize,
  riffSize,
  byteRate,
  before = [],
  behind = [],
}: Wave): Buffer {
  const block = (channels * bits) / 8
  const sound = Buffer.alloc(Math.round(seconds * rate) * block)
  for (let at = 0; at < sound.length; at++) sound[at] = (at * 7919) % 251
  const about = Buffer.alloc(format === 0xfffe ? 40 : 16)
  about.writeUInt16LE(format, 0)
  about.writeUInt16LE(channels, 2)
  about.writeUInt32LE(rate, 4)
  about.writeUInt32LE((byteRate ?? rate * block) >>> 0, 8)
  about.writeUInt16LE(block, 12)
  about.writeUInt16LE(bits, 14)
  if (format === 0xfffe) {
    about.writeUInt16LE(22, 16)
    about.writeUInt16LE(1, 24)
  }
  const body = [chunk('fmt ', about), ...before, chunk('data', sound, dataSize), ...behind]
  const whole = Buffer.concat([Buffer.from('WAVE'), ...body])
  return chunk('RIFF', whole, riffSize)
}

/** A form with a file of sound. */
export function soundForm(sound: Uint8Array, model: string, filename = 'speech.wav'): FormData {
  const form = new FormData()
  form.set('model', model)
  form.set('file', new File([sound as Uint8Array<ArrayBuffer>], filename))
  return form
}
