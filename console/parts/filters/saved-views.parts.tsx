import { preferences } from '../../data/preferences.ts'
import { partStates } from '../../parts-page/states.ts'
import { SavedViews } from './saved-views.tsx'

export const states = partStates({ views: () => <SavedViews storage={preferences.logViews} /> })
