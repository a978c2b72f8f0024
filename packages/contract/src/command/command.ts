import { NoCredentials } from '../http/no-credentials.ts'
import { Interrupted, Misconfiguration, NotArranged, Unreachable } from '../model/signals.ts'
import { escapeControls } from '../report/text.ts'
import { type Arguments, parseArguments } from './arguments.ts'
import { cleanupCommand } from './cleanup.ts'
import { type Console, complaint } from './console.ts'
import { doctorCommand } from './doctor.ts'
import { help } from './help.ts'
import { initCommand } from './init.ts'
import { kitVersion } from './kit-version.ts'
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
    case 'version':
      return say(`${kitVersion()}\n`, console)
    case 'help':
      return say(help(), console)
  }
}

const say = async (text: string, console: Console): Promise<number> => {
  console.write(text)
  return 0
}

/**
 * Runs a command line and returns its exit code:
 *
 * - 0: The target conforms.
 * - 1: The target doesn't conform.
 * - 2: There is an error in the kit or its configuration.
 * - 3: The target can't be reached.
 * - 130: The run was interrupted.
 */
export const runCommandLine = async (argv: readonly string[], console: Console): Promise<number> => {
  if (argv.length === 0) {
    console.warn(help())
    return 2
  }
  try {
    return await dispatch(parseArguments(argv), console)
  } catch (error) {
    if (error instanceof Unreachable) {
      console.warn(complaint(error.message, console))
      return 3
    }
    if (error instanceof Interrupted) {
      console.warn(complaint(error.message, console))
      return 130
    }
    const known =
      error instanceof Misconfiguration || error instanceof NoCredentials || error instanceof NotArranged
    console.warn(
      known
        ? complaint(error.message, console)
        : `contract: internal error: ${escapeControls(String(error instanceof Error ? error.stack : error))}\n`,
    )
    return 2
  }
}
