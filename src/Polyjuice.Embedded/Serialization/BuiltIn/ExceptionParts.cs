using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Polyjuice.Embedded.Serialization;

/// <summary>What an exception that came by message must be given, though its class offers no way to.</summary>
internal static class ExceptionParts
{
    private static readonly ConcurrentDictionary<Type, ConstructorInfo?> Constructors = new();

    /// <summary>The message as its constructor got it; aggregate exceptions add their inner ones' on reading.</summary>
    public static string MessageOf(Exception value) => value is AggregateException ? Message(value) ?? "" : value.Message;

    /// <summary>Sets what every exception has.</summary>
    public static void Set(Exception value, string? message, string? stackTrace, int hResult, Exception? inner)
    {
        Message(value) = message;
        RemoteStackTrace(value) = stackTrace is null ? null : stackTrace + Environment.NewLine;
        Inner(value) = inner;
        value.HResult = hResult;
    }

    /// <summary>Whether <see cref="Construct"/> can make an instance.</summary>
    public static bool HasPlainConstructor(Type type) => ConstructorOf(type) is not null;

    /// <summary>An instance without message.</summary>
    public static Exception Construct(Type type)
    {
        if (!type.IsAssignableTo(typeof(Exception)) || ConstructorOf(type) is not { } constructor)
            throw new WireFormatException($"A message contains a {type} where there must be an exception.");
        return (Exception)constructor.Invoke([null, null]);
    }

    private static ConstructorInfo? ConstructorOf(Type type) => Constructors.GetOrAdd(
        type, static type => type.IsAbstract ? null : type.GetConstructor([typeof(string), typeof(Exception)]));

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_message")]
    private static extern ref string? Message(Exception value);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_innerException")]
    private static extern ref Exception? Inner(Exception value);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_remoteStackTraceString")]
    private static extern ref string? RemoteStackTrace(Exception value);
}
