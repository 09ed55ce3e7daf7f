import { useText } from '../../data/texts.tsx'

// Tags and their colors. Color never carries meaning alone: the tag always has a text.
import type { ReactNode } from 'react'
export const TAG_PALETTE = [
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
export type TagColor = (typeof TAG_PALETTE)[number] | 'light-green'

/** The same text always has the same colour. */
export const getHashedColor = (text: string): TagColor =>
  TAG_PALETTE[[...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % TAG_PALETTE.length]!

export const getNumberedColor = (id: number): TagColor => TAG_PALETTE[id % TAG_PALETTE.length]!

interface TagProps {
  color: TagColor | 'white'
  /** Explains it. */
  tip?: string
  /** It shows a name or a code as it is, and no text that begins with a capital letter. */
  isName?: boolean
  children: ReactNode
}

/** A short text for a state. */
export function StateTag({ color, tip, isName, children }: TagProps) {
  const colors =
    color === 'white'
      ? undefined
      : { background: `rgba(var(--semi-${color}-5), 0.16)`, color: `rgb(var(--semi-${color}-8))` }
  return (
    <span className={isName ? 'tag tag-name' : 'tag'} style={colors} data-tip={tip} tabIndex={tip ? 0 : undefined}>
      {children}
    </span>
  )
}

interface DotProps {
  color: TagColor
  tip?: string
  /** It shows a text that begins with a capital letter, and no name. */
  isWord?: boolean
  children: ReactNode
}

/** A colored dot before a text, for colors without meaning. */
export function ColorDot({ color, tip, isWord, children }: DotProps) {
  return (
    <span className="dotted" data-tip={tip} tabIndex={tip ? 0 : undefined}>
      <span className="dot" aria-hidden="true" style={{ background: `rgb(var(--semi-${color}-5))` }} />
      {isWord ? <span className="dot-word">{children}</span> : children}
    </span>
  )
}

const groupColors: Record<string, TagColor> = { vip: 'yellow', pro: 'yellow', svip: 'red', premium: 'red' }

export function GroupTag({ group }: { group: string }) {
  const t = useText()
  return (
    <ColorDot color={group === '' ? 'orange' : (groupColors[group] ?? getHashedColor(group))}>
      {group || t('User group')}
    </ColorDot>
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
  return <StateTag color="red">{t('cannot be read exactly: {fields}', { fields: row.unreadable.join(', ') })}</StateTag>
}

export function RatioTag({ ratio }: { ratio: number }) {
  const t = useText()
  const color: TagColor = ratio > 5 ? 'red' : ratio > 3 ? 'orange' : ratio > 1 ? 'blue' : 'green'
  return <ColorDot color={color}>{t('{n}x ratio', { n: ratio })}</ColorDot>
}
