import { Misconfiguration, Unreachable } from '../engine/signals.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { type Arguments, parseArguments } from './arguments.ts'
import { cleanupCommand } from './cleanup.ts'
import type { Console } from './console.ts'
import { doctorCommand } from './doctor.ts'
import { help } from './help.ts'
import { initCommand } from './init.ts'
import { compareCommand, mergeCommand } from './reports.ts'
import { runCommand } from './run.ts'

const dispatch = ({ command, files, values }: Arguments, console: Console): Promise<number> => {
  switch (command) {
    case 'run':
      return runCommand(values, console)
    case 'init':
      return initCommand(values, console)
    case 'doctor':
      return doctorCommand(values, console)
    case 'merge':
      return mergeCommand(files, values, console)
    case 'cleanup':
      return cleanupCommand(values, console)
    case 'compare':
      return compareCommand(files, console)
    default:
      throw new Misconfiguration(
        command === ''
          ? 'say what to do: run, init, doctor, merge, cleanup or compare'
          : `there is no command ${command}`,
      )
  }
}

/**
 * Runs a command line; returns its exit code: 0 the target conforms, 1 it does not, 2 the kit or its configuration
 * is wrong, 3 the target cannot be reached.
 */
export const runCommandLine = async (argv: readonly string[], console: Console): Promise<number> => {
  try {
    const parsed = parseArguments(argv)
    if (parsed.values.help) {
      console.write(help)
      return 0
    }
    return await dispatch(parsed, console)
  } catch (error) {
    if (error instanceof Unreachable) {
      console.warn(`contract: ${error.message}\n`)
      return 3
    }
    const known = error instanceof Misconfiguration || error instanceof NoCredentials
    console.warn(
      known ? `contract: ${error.message}\n` : `contract: ${error instanceof Error ? error.stack : error}\n`,
    )
    return 2
  }
}
