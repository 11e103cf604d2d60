using Microsoft.AspNetCore.Http;

namespace Polyjuice.LiveView.Access;

/// <summary>
/// What every answer says to browsers: nothing comes from elsewhere, nothing is embedded elsewhere, nothing is kept.
/// </summary>
internal static class PageHeaders
{
    /// <summary>Scripts, styles and data from the same origin, as files; nothing else, nothing inline.</summary>
    public const string ContentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'";

    /// <summary>Adds them.</summary>
    public static void Add(HttpResponse response)
    {
        var headers = response.Headers;
        headers.ContentSecurityPolicy = ContentSecurityPolicy;
        headers.XContentTypeOptions = "nosniff";
        headers.XFrameOptions = "DENY";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        headers.CacheControl = "no-store";
    }
}
