import { LONG, partStates } from '../../parts-page/states.ts'
import { Lines } from './row.tsx'

const line = (title: string, value: string | null) => ({ key: title, title, rank: 1, width: 100, render: () => value })

export const states = partStates({
  lines: () => <Lines columns={[line('Name', 'laptop'), line('Left out', null), line('Spent', '$1.23')]} row={{}} />,
  'long text': () => <Lines columns={[line('Name', LONG)]} row={{}} />,
})
