// The suite's description of a coding agent: its registry, how it is started without a person, and how its output is
// read.
import type { Json } from '../support/json.ts'
import type { Asked, Call } from '../vendors/script.ts'

/** Where an agent is sent, and what it may touch. */
export interface Place {
  /** Of Weir, without a path. */
  url: string
  /** An API token of Weir. */
  key: string
  model: string
  /** Its own home, empty at first. */
  home: string
  /** The folder it works in; `notes.txt` lies there. */
  work: string
  /** `weir run` tells it the address, the key and the model. */
  led: boolean
}

/** Tokens as the agent reports them to its user: of the prompt with all that the cache did, of the answer with its thoughts. */
export interface Reported {
  prompt: number
  /** Read from the cache. */
  cached: number
  completion: number
}

export interface Start {
  args: string[]
  env?: Record<string, string>
  /** Written into its home first: path and text. */
  files?: Record<string, string>
}

export interface Agent {
  /** As the page says it. */
  name: string
  /** What its registry calls it, with the version that was tried; of npm also what it needs beside, after a space. */
  install: string
  /** npm if undefined. */
  registry?: 'pypi'
  /** The program that it installs. */
  command: string
  /** What it speaks to Weir. */
  speaks: 'Chat' | 'Responses' | 'Messages' | 'Gemini'
  /** `weir run` does not know how to point it to Weir. */
  unknownToRun?: true
  start(place: Place, prompt: string): Start
  /** How a model reads a file with this agent's tools. */
  read(asked: Asked, file: string): Call | undefined
  /** How it writes one. */
  write(asked: Asked, file: string, content: string): Call | undefined
  /** How a model ends, of an agent to which words are no end. */
  finish?(text: string): Call
  /** Its last words and its own count, from what it printed or left in its home. @throws where there is neither */
  heard(stdout: string, home: string): { text: string; reported: Reported }
}

/** The name of an agent that may speak several formats. */
export const labelOf = ({ name, speaks }: Agent): string => `${name} (${speaks})`

/** A call of the tool with that name, if it is on offer. */
export const callOf = ({ tools }: Asked, name: string, args: Record<string, unknown>): Call | undefined =>
  tools.some((tool) => tool.name === name) ? { name, args } : undefined

/** A new file, as OpenAI's models write one. */
export const patchOf = (file: string, content: string): string =>
  `*** Begin Patch\n*** Add File: ${file}\n+${content}\n*** End Patch\n`

/** Lines of JSON; others are skipped. */
export const jsonLines = (stdout: string): Json[] =>
  stdout.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Json]
    } catch {
      return []
    }
  })

export const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce((total: number, value) => total + (value ?? 0), 0)
