// Reads the text format of Prometheus (version 0.0.4) by its published grammar, strictly: what Prometheus would not take,
// this does not take either.

export interface Family {
  type: string
  help: string
  samples: Sample[]
}

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? ([^ ]+)$`)
const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i

/** @throws Error naming the line that is wrong */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, word, name = '', rest = ''] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`).exec(line) ?? []
    if (word) {
      const family = families.get(name) ?? { type: '', help: '', samples: [] }
      if (family.samples.length > 0) throw new Error(`${line}: stands behind its samples`)
      if (word === 'TYPE') family.type = rest
      else family.help = rest
      families.set(name, family)
      continue
    }
    if (line.startsWith('#')) continue
    const sample = sampleOf(line)
    const family = families.get(familyOf(sample.name, families))
    if (!family) throw new Error(`${line}: is of no metric that was declared`)
    const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`
    if (seen.has(key)) throw new Error(`${line}: stands there twice`)
    seen.add(key)
    family.samples.push(sample)
  }
  return families
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? []
  if (name === undefined || !NUMBER.test(value)) throw new Error(`${line}: is no sample`)
  const read: Record<string, string> = {}
  for (let rest = labels; rest !== '';) {
    const [whole, label = '', text = ''] = LABEL.exec(rest) ?? []
    if (whole === undefined || Object.hasOwn(read, label)) throw new Error(`${line}: its labels cannot be read`)
    read[label] = text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
    rest = rest.slice(whole.length)
  }
  return { name, labels: read, value: Number(value.replace(/Inf$/i, 'Infinity')) }
}

/** A histogram's samples have endings. */
function familyOf(name: string, families: Map<string, Family>): string {
  const base = name.replace(/_(bucket|sum|count)$/, '')
  return families.get(base)?.type === 'histogram' ? base : name
}
