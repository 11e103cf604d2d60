using System.Globalization;
using System.Numerics;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Orleans;
using Polyjuice.Orleans;

namespace SiloHosting.Api;

/// <summary>
/// One request. What it should not say is thrown as <see cref="BadHttpRequestException"/>, and answered as that says.
/// </summary>
public sealed class ApiCall
{
    private const string KeyHeader = "Idempotency-Key";
    private readonly HttpContext _context;

    internal ApiCall(HttpContext context, IGrainFactory grains)
    {
        (_context, Grains) = (context, grains);
        var given = context.Request.Headers[KeyHeader];
        HasKey = given.Count > 0;
        if (!HasKey) Key = Guid.NewGuid().ToString("n");
        else if (given is [{ Length: <= IdempotencyKey.LengthMax } key] && !string.IsNullOrWhiteSpace(key)) Key = key;
        else
            throw new BadHttpRequestException(
                $"{KeyHeader} must be one text, 1 to {IdempotencyKey.LengthMax} characters.");
    }

    /// <summary>The silo's grains.</summary>
    public IGrainFactory Grains { get; }

    /// <summary>The request's idempotency key, which is ambient for all but a PUT.</summary>
    public string Key { get; }

    /// <summary>Whether the client has named the key, and so may send the same request again.</summary>
    public bool HasKey { get; }

    /// <summary>Signals that the client has gone.</summary>
    public CancellationToken Aborted => _context.RequestAborted;

    /// <summary>A part of the path.</summary>
    public string Text(string name) => (string)_context.Request.RouteValues[name]!;

    /// <summary>A part of the path that is a number.</summary>
    public T Number<T>(string name, T least, T most)
        where T : struct, INumber<T> => Bounded(Parse<T>(name, Text(name)), name, least, most);

    /// <summary>A parameter after the path; <see langword="null"/> if it is not there.</summary>
    public string? Query(string name) =>
        _context.Request.Query.TryGetValue(name, out var value) ? value.ToString() : null;

    /// <summary>A parameter after the path that is a number; <see langword="null"/> if it is not there.</summary>
    public T? QueryNumber<T>(string name, T least, T most)
        where T : struct, INumber<T> =>
        Query(name) is { } text ? Bounded(Parse<T>(name, text), name, least, most) : null;

    /// <summary>Checks a number.</summary>
    /// <returns>The number.</returns>
    public static T Bounded<T>(T value, string name, T least, T most)
        where T : struct, INumber<T> =>
        value >= least && value <= most
            ? value
            : throw new BadHttpRequestException(
                string.Create(CultureInfo.InvariantCulture, $"\"{name}\" is {value}, and must be {least} to {most}."));

    /// <summary>The body.</summary>
    public async Task<T> ReadAsync<T>()
    {
        try
        {
            return await _context.Request.ReadFromJsonAsync<T>(Aborted)
                ?? throw new BadHttpRequestException("The request has no body.");
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            throw new BadHttpRequestException(
                "The request's body is not the JSON object that it should be.", exception);
        }
    }

    private static T Parse<T>(string name, string text)
        where T : struct, INumber<T> =>
        T.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value)
            ? value
            : throw new BadHttpRequestException($"\"{name}\" must be a whole number.");
}
