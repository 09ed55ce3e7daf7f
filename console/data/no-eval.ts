// Schemas must not compile themselves: the page's policy forbids making code from text, and even the try is reported.
import { config } from 'zod'

config({ jitless: true })
