// Keeps the page on the device. `self.files`, made by the build, holds every file with a hash of its content.
