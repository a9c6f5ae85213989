/// The files of this folder, embedded in the daemon, which serves them as its demo page.
package enum WebClient {
    package static var indexHTML: [UInt8] { PackageResources.index_html }
    package static var pageCSS: [UInt8] { PackageResources.page_css }
    package static var pageJS: [UInt8] { PackageResources.page_js }
    package static var refreshClientJS: [UInt8] { PackageResources.refresh_client_js }
    package static var scrollViewJS: [UInt8] { PackageResources.scroll_view_js }
    package static var motionJS: [UInt8] { PackageResources.motion_js }
    package static var trailJS: [UInt8] { PackageResources.trail_js }
    package static var spinnerJS: [UInt8] { PackageResources.spinner_js }
    /// Several hundred real Debian packages, for machines without dpkg.
    package static var packagesJSON: [UInt8] { PackageResources.packages_json }
}
