import { useState } from 'react'
import { definePreviews } from '../parts-page/states.ts'
import { JsonField } from './json-field.tsx'

function Of({ initial, template }: { initial: string; template?: unknown }) {
  const [value, setValue] = useState(initial)
  return <JsonField label="Mapping" help="Leave it and see" value={value} onChange={setValue} template={template} />
}

export const previews = definePreviews({
  empty: () => <Of initial="" template={{ 'gpt-4o': 'gpt-4o-mini' }} />,
  filled: () => <Of initial={'{"a": 1}'} />,
  'wrong, once it is left': () => <Of initial={'{"a": '} />,
})
