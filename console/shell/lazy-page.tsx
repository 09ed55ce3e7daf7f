// A screen's page, fetched when it is first opened.
import { lazy } from 'react'
import type { Screen } from '../screens/screen.ts'

export const lazyPage = (declared: Screen) => lazy(async () => ({ default: await declared.load() }))
