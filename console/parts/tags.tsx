// Tags and their colours. Colour never carries meaning alone: the tag always says it in words.
import { Tag } from '../semi.ts'
import { fill, useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'

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
export type Color = (typeof PALETTE)[number]

/** The same text always has the same colour. */
export const hashedColor = (text: string): Color =>
  PALETTE[[...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % PALETTE.length]!

export const numberedColor = (id: number): Color => PALETTE[id % PALETTE.length]!

const groupColors: Record<string, Color> = { vip: 'yellow', pro: 'yellow', svip: 'red', premium: 'red' }

export function GroupTag({ group }: { group: string }) {
  const t = useTexts(words)
  return (
    <Tag size="small" color={group === '' ? 'orange' : (groupColors[group] ?? hashedColor(group))}>
      {group || t.userGroup}
    </Tag>
  )
}

/** Groups of a comma list, `default` first. */
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

/** Says which stored numbers of a row cannot be read exactly; nothing where all can. */
export function UnreadableTag({ row }: { row: { unreadable?: string[] } }) {
  const t = useTexts(words)
  if (!row.unreadable?.length) return null
  return (
    <Tag size="small" color="red">
      {fill(t.unreadable, { fields: row.unreadable.join(', ') })}
    </Tag>
  )
}

export function RatioTag({ ratio }: { ratio: number }) {
  const t = useTexts(words)
  const color: Color = ratio > 5 ? 'red' : ratio > 3 ? 'orange' : ratio > 1 ? 'blue' : 'green'
  return (
    <Tag size="small" color={color}>
      {fill(t.ratio, { n: ratio })}
    </Tag>
  )
}
