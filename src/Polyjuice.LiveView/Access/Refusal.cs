using Microsoft.AspNetCore.Http;

namespace Polyjuice.LiveView.Access;

/// <summary>Why a request is not answered.</summary>
/// <param name="Status">The HTTP status.</param>
/// <param name="Message">What is wrong, and what to do.</param>
internal sealed record Refusal(int Status, string Message)
{
    /// <summary>The caller may not do that.</summary>
    public static Refusal Forbidden(string message) => new(StatusCodes.Status403Forbidden, message);

    /// <summary>Answers with it.</summary>
    public Task WriteAsync(HttpContext context)
    {
        context.Response.StatusCode = Status;
        return context.Response.WriteAsJsonAsync(new { error = Message }, context.RequestAborted);
    }
}
