using Microsoft.AspNetCore.Http;

namespace SiloHosting.Api;

/// <summary>How endpoints say no.</summary>
internal static class Refusal
{
    /// <summary>Answers with a status, and why as JSON.</summary>
    /// <param name="context">The request.</param>
    /// <param name="status">The status.</param>
    /// <param name="reason">Why, and what to do.</param>
    public static Task WriteAsync(HttpContext context, int status, string reason)
    {
        context.Response.StatusCode = status;
        return context.Response.WriteAsJsonAsync(new { error = reason }, context.RequestAborted);
    }
}
