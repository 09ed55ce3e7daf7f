// The PostgreSQL server that the script has started, for one of its test runs: to start one takes longer than most of them.
import type { TestProject } from 'vitest/node'
import { POSTGRES_URL } from './run-variables.ts'

export default function sharePostgres(project: TestProject): void {
  project.provide('postgresUrl', process.env[POSTGRES_URL] ?? '')
}
