import CPNG

/// A square picture in black and white as PNG (ISO/IEC 15948), written by libpng.
enum PNGImage {
  /// - Parameters:
  ///   - width: of the square's side, in pixels.
  ///   - isDark: asked for each pixel.
  static func encode(width: Int, isDark: (_ column: Int, _ row: Int) -> Bool) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * width)
    for row in 0..<width {
      for column in 0..<width { pixels.append(isDark(column, row) ? 1 : 0) }
    }
    // Pixels are places in the palette. Of two greys libpng makes a picture of one bit a pixel.
    let palette: [UInt8] = [255, 0]
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(width)
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLORMAP)
    image.colormap_entries = png_uint_32(palette.count)
    // Once for the size alone.
    var size = 0
    var isDone = png_image_write_to_memory(&image, nil, &size, 0, pixels, 0, palette) != 0
    var png = [UInt8](repeating: 0, count: size)
    isDone = isDone && png_image_write_to_memory(&image, &png, &size, 0, pixels, 0, palette) != 0
    precondition(isDone, "libpng writes a picture of two colours to memory that is large enough")
    return png
  }
}
