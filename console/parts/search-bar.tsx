// A row of filter fields: Enter or the button asks.
import { IconSearch } from '@douyinfe/semi-icons'
import { Button, Input } from '../semi.ts'
import { useEffect, useState, type ReactNode } from 'react'
import { useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'

export interface SearchField<K extends string> {
  name: K
  label: string
  placeholder?: string
}

interface Props<K extends string> {
  fields: SearchField<K>[]
  value: Record<K, string>
  onSearch(value: Record<K, string>): void
  busy?: boolean
  /** Further fields that search at once, before the button. */
  children?: ReactNode
}

export function SearchBar<K extends string>({ fields, value, onSearch, busy, children }: Props<K>) {
  const t = useTexts(words)
  const [draft, setDraft] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => setDraft(JSON.parse(key) as Record<K, string>), [key])
  const filled = fields.some(({ name }) => value[name] !== '')
  const cleared = () => Object.fromEntries(Object.keys(value).map((name) => [name, ''])) as Record<K, string>
  return (
    <form
      className="search-bar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(draft)
      }}
    >
      {fields.map(({ name, label, placeholder }) => (
        <Input
          key={name}
          className="search-field"
          aria-label={label}
          placeholder={placeholder ?? label}
          value={draft[name]}
          showClear
          onChange={(text) => setDraft((old) => ({ ...old, [name]: text }))}
        />
      ))}
      {children}
      <Button htmlType="submit" icon={<IconSearch aria-hidden />} loading={busy}>
        {t.query}
      </Button>
      {filled && (
        <Button theme="borderless" type="tertiary" onClick={() => onSearch({ ...value, ...cleared() })}>
          {t.reset}
        </Button>
      )}
    </form>
  )
}
