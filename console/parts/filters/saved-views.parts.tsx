import { preferences } from '../../data/preferences.ts'
import { definePreviews } from '../../parts-page/states.ts'
import { SavedViews } from './saved-views.tsx'

export const previews = definePreviews({ views: () => <SavedViews storage={preferences.logViews} /> })
