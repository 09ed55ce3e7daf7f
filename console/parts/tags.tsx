import { useText } from '../data/texts.tsx'

// Tags and their colors. Color never carries meaning alone: the tag always has a text.
import type { ReactNode } from 'react'
export const PALETTE = [
  'amber',
  'blue',
  'cyan',
  'green',
  'grey',
  'indigo',
  'light-blue',
  'lime',
  'orange',
  'pink',
  'purple',
  'red',
  'teal',
  'violet',
  'yellow',
] as const
/** The colors that texts are hashed to, and one for some kinds of work. */
export type Color = (typeof PALETTE)[number] | 'light-green'

/** The same text always has the same colour. */
export const hashedColor = (text: string): Color =>
  PALETTE[[...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % PALETTE.length]!

export const numberedColor = (id: number): Color => PALETTE[id % PALETTE.length]!

/** A short text for a state. `tip` explains it. */
export function Tag({ color, tip, children }: { color: Color | 'white'; tip?: string; children: ReactNode }) {
  const colors =
    color === 'white'
      ? undefined
      : { background: `rgba(var(--semi-${color}-5), 0.16)`, color: `rgb(var(--semi-${color}-8))` }
  return (
    <span className="tag" style={colors} data-tip={tip} tabIndex={tip ? 0 : undefined}>
      {children}
    </span>
  )
}

/** A colored dot before a text, for colors without meaning. */
export function Dot({ color, tip, children }: { color: Color; tip?: string; children: ReactNode }) {
  return (
    <span className="dotted" data-tip={tip} tabIndex={tip ? 0 : undefined}>
      <span className="dot" aria-hidden="true" style={{ background: `rgb(var(--semi-${color}-5))` }} />
      {children}
    </span>
  )
}

const groupColors: Record<string, Color> = { vip: 'yellow', pro: 'yellow', svip: 'red', premium: 'red' }

export function GroupTag({ group }: { group: string }) {
  const t = useText()
  return (
    <Dot color={group === '' ? 'orange' : (groupColors[group] ?? hashedColor(group))}>{group || t('User group')}</Dot>
  )
}

/** The groups of a comma-separated list, `default` first. */
export function GroupTags({ groups }: { groups: string[] }) {
  const sorted = [...groups].sort((a, b) => Number(b === 'default') - Number(a === 'default') || a.localeCompare(b))
  return (
    <span className="tags">
      {sorted.map((group) => (
        <GroupTag key={group} group={group} />
      ))}
    </span>
  )
}

/** Lists the stored numbers of a row that cannot be read exactly; renders nothing if all can. */
export function UnreadableTag({ row }: { row: { unreadable?: string[] } }) {
  const t = useText()
  if (!row.unreadable?.length) return null
  return <Tag color="red">{t('cannot be read exactly: {fields}', { fields: row.unreadable.join(', ') })}</Tag>
}

export function RatioTag({ ratio }: { ratio: number }) {
  const t = useText()
  const color: Color = ratio > 5 ? 'red' : ratio > 3 ? 'orange' : ratio > 1 ? 'blue' : 'green'
  return <Dot color={color}>{t('{n}x ratio', { n: ratio })}</Dot>
}
