import { definePreviews } from '../parts-page/states.ts'
import { LoadingIndicator } from './waiting.tsx'

export const previews = definePreviews({ waiting: () => <LoadingIndicator /> })
