#!/usr/bin/env node
// Committed and executable, so that the command is linked before anything is built.
import '../dist/seed-main.js'
