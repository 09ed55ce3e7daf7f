import { preferences } from '../../data/preferences.ts'
import { definePreviews } from '../../parts-page/states.ts'
import { useColumnSettings } from './column-settings.tsx'

function Settings() {
  const columns = ['Name', 'State', 'Spent'].map((title) => ({
    key: title,
    title,
    rank: 1,
    width: 100,
    render: () => null,
  }))
  return useColumnSettings(columns, preferences.channelColumns).button
}

export const previews = definePreviews({ 'which columns': () => <Settings /> })
