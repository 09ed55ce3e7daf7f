import { partStates } from '../parts-page/states.ts'
import { LoadingIndicator } from './waiting.tsx'

export const states = partStates({ waiting: () => <LoadingIndicator /> })
