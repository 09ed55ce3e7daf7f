import { useState } from 'react'
import { LONG_TEXT, definePreviews } from '../../parts-page/states.ts'
import { FilterBar } from './filter-bar.tsx'

function Bar({ initial = {} }: { initial?: Partial<Record<'word' | 'model' | 'group', string>> }) {
  const [value, setValue] = useState({ word: '', model: '', group: '', ...initial })
  return (
    <FilterBar
      search={{ name: 'word', label: 'Word', placeholder: 'Name or ID' }}
      filters={[
        { name: 'model', label: 'Model', suggested: ['gpt-4o'] },
        { name: 'group', label: 'Group', options: [{ value: 'vip' }, { value: LONG_TEXT }] },
      ]}
      value={value}
      onChange={(change) => setValue({ ...value, ...change })}
    />
  )
}

export const previews = definePreviews({
  'nothing set': () => <Bar />,
  'one set': () => <Bar initial={{ model: 'gpt-4o' }} />,
  'all set': () => <Bar initial={{ word: 'laptop', model: 'gpt-4o', group: 'vip' }} />,
  'long text': () => <Bar initial={{ group: LONG_TEXT }} />,
})
