"""Reports each step as a line, which the matrix reads."""


def step(name):
    def run(function):
        try:
            function()
            print(f"ok: {name}")
        except Exception as error:  # one failure must not hide the others
            text = f"{type(error).__name__}: {error}".replace("\n", " ")
            print(f"failed: {name}: {text[:300]}")

    return run
