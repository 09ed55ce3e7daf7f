import { LONG_TEXT, definePreviews } from '../../parts-page/states.ts'
import { LabelledLines } from './row.tsx'

const line = (title: string, value: string | null) => ({ key: title, title, rank: 1, width: 100, render: () => value })

export const previews = definePreviews({
  lines: () => (
    <LabelledLines columns={[line('Name', 'laptop'), line('Left out', null), line('Spent', '$1.23')]} row={{}} />
  ),
  'long text': () => <LabelledLines columns={[line('Name', LONG_TEXT)]} row={{}} />,
})
