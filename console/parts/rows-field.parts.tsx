import { useState } from 'react'
import { definePreviews } from '../parts-page/states.ts'
import { Input } from '../semi.ts'
import { RowsField } from './rows-field.tsx'

function Of({ begins }: { begins: Record<string, string> }) {
  const [value, setValue] = useState(begins)
  return (
    <RowsField
      label="Headers"
      heads={['Name', 'Value']}
      blank=""
      value={value}
      onChange={setValue}
      renderValue={({ label, value, onChange }) => <Input aria-label={label} value={value} onChange={onChange} />}
    />
  )
}

export const previews = definePreviews({
  empty: () => <Of begins={{}} />,
  rows: () => (
    <Of begins={{ 'X-Team': 'research', 'X-Purpose': 'a long text that does not fit into the room of its column' }} />
  ),
})
