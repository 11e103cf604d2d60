using System.Net;
using Microsoft.AspNetCore.Http;

namespace Polyjuice.LiveView.Access;

/// <summary>
/// Without an authorization policy the view answers this machine alone. It looks at where the connection comes from; at
/// the host that was asked for, because a page from elsewhere may have its own name point to this machine (DNS
/// rebinding); and at what reverse proxies add, because what comes through one of this machine comes from anywhere.
/// </summary>
internal static class LoopbackRule
{
    private static readonly string[] _proxyHeaders =
    [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"
    ];

    /// <summary>Why a request is refused; <see langword="null"/> if it is not.</summary>
    public static Refusal? Check(HttpContext context)
    {
        if (context.Connection.RemoteIpAddress is not { } address || !IPAddress.IsLoopback(address))
            return No(
                "It answers this machine alone (this request comes from "
                + $"{context.Connection.RemoteIpAddress?.ToString() ?? "an unknown address"}).");
        if (!IsLoopback(context.Request.Host.Host))
            return No("It answers requests for localhost alone, and this one is for another host.");
        if (_proxyHeaders.FirstOrDefault(context.Request.Headers.ContainsKey) is { } header)
            return No(
                $"It answers this machine alone, and this request came through a proxy (it has the header {header}).");
        return null;

        static Refusal No(string why) =>
            Refusal.Forbidden(
                $"The live view has no authorization policy. {why} To open it to others, set "
                + "LiveViewOptions.AuthorizationPolicy.");
    }

    private static bool IsLoopback(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));
}
