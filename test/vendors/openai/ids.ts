// Names that OpenAI gives to what it makes.

let made = 0

/** A new one: `call_…`, as long as the vendor's. Chat's calls are the shorter ones. */
export function nextId(prefix: 'call' | 'chatcmpl' | 'resp' | 'msg' | 'rs' | 'fc' | 'ctc' | 'cmp'): string {
  const number = (++made).toString(16)
  if (prefix === 'chatcmpl') return `chatcmpl-${number.padStart(29, 'C')}`
  return `${prefix}_${number.padStart(prefix === 'call' ? 24 : 50, '0')}`
}
