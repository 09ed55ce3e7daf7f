import { useState } from 'react'
import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Tabs } from './tabs.tsx'

function Chosen({ labels, initial = 0 }: { labels: string[]; initial?: number }) {
  const [value, setValue] = useState(String(initial))
  const tabs = labels.map((label, index) => ({ value: String(index), label }))
  return (
    <Tabs label="Views" value={value} tabs={tabs} onChange={setValue}>
      {labels[Number(value)]}
    </Tabs>
  )
}

export const previews = definePreviews({
  'the first of three': () => <Chosen labels={['General', 'Models', 'Other']} />,
  'the last of three': () => <Chosen labels={['General', 'Models', 'Other']} initial={2} />,
  'more than there is room for': () => <Chosen labels={[LONG_TEXT, 'Models', LONG_TEXT]} initial={1} />,
})
