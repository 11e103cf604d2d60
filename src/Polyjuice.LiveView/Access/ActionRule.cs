using Microsoft.AspNetCore.Http;

namespace Polyjuice.LiveView.Access;

/// <summary>
/// What changes something must come from the page itself: it needs an authorization policy, a header that a form or a
/// page of another origin can't send, and, if the browser says where it comes from, the same origin.
/// </summary>
internal static class ActionRule
{
    /// <summary>The header, whatever its value.</summary>
    public const string Header = "X-Polyjuice-View";

    /// <summary>What to say to who may only look.</summary>
    public const string ReadOnly =
        "The live view is read-only here: set LiveViewOptions.AuthorizationPolicy to the name of an authorization "
        + "policy, and whoever meets it may roll policies back.";

    /// <summary>
    /// Why a request is refused; <see langword="null"/> if it is
    /// not. Whether the caller meets the policy was checked before.
    /// </summary>
    public static Refusal? Check(HttpContext context, LiveViewOptions options)
    {
        if (options.AuthorizationPolicy is null) return Refusal.Forbidden(ReadOnly);
        var headers = context.Request.Headers;
        if (!headers.ContainsKey(Header))
            return Refusal.Forbidden(
                $"The header {Header} is missing, by which a request shows that no other page has sent it.");
        if (headers["Sec-Fetch-Site"] is [{ } site] && site is not ("same-origin" or "none"))
            return Refusal.Forbidden("This request comes from a page of another origin.");
        if (headers.Origin is [{ } origin] && !IsOwn(origin, context.Request))
            return Refusal.Forbidden("This request comes from a page of another origin.");
        if (!context.Request.HasJsonContentType())
            return new Refusal(
                StatusCodes.Status415UnsupportedMediaType,
                "The body must be JSON, and say so (Content-Type: application/json).");
        return null;
    }

    // Not the scheme: a proxy that ends TLS leaves another one than the browser has seen.
    private static bool IsOwn(string origin, HttpRequest request) =>
        Uri.TryCreate(origin, UriKind.Absolute, out var uri)
            && string.Equals(uri.Authority, request.Host.ToUriComponent(), StringComparison.OrdinalIgnoreCase);
}
