// The variables by which a run of Vitest is told what to do. Its configuration loads this file, so it loads nothing.

/** Test files from the root, one a line. */
export const PLAYED_TESTS = 'WEIR_PLAYED_TESTS'
/** The PostgreSQL server that the script has started. */
export const POSTGRES_URL = 'WEIR_POSTGRES_URL'
/** Where each test file writes which parts it reaches; nothing is written without it. */
export const REACH_FOLDER = 'WEIR_REACH_FOLDER'
