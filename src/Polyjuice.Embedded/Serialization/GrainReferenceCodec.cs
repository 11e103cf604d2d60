using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Carries references to grains of one interface as their identities; the reader's runtime makes the calls from then on.</summary>
/// <typeparam name="TInterface">The grain interface.</typeparam>
/// <param name="create">Makes a reference.</param>
internal sealed class GrainReferenceCodec<TInterface>(Func<GrainId, IGrainCallRuntime, GrainReference> create) : IValueCodec<TInterface>
    where TInterface : class
{
    /// <inheritdoc/>
    public bool IsImmutable => true;

    /// <inheritdoc/>
    public void Write(ref WireWriter writer, TInterface value)
    {
        if (value is null)
        {
            writer.WriteByte(0);
            return;
        }

        var id = Reference(value).Id;
        writer.WriteByte(1);
        writer.WriteString(id.Type);
        writer.WriteString(id.Key);
    }

    /// <inheritdoc/>
    public TInterface Read(ref WireReader reader)
    {
        if (WirePrimitives.ReadBoolean(ref reader) is false) return null!;
        var id = new GrainId(reader.ReadString() ?? "", reader.ReadString() ?? "");
        var runtime = reader.Runtime ?? throw new InvalidOperationException($"The reference to {id} can't be read: nobody is there to call it.");
        return (TInterface)(object)create(id, runtime);
    }

    /// <inheritdoc/>
    public TInterface Copy(TInterface value)
    {
        if (value is not null) Reference(value);
        return value!;
    }

    // A grain that passes itself would be called by others on their own turns.
    private static GrainReference Reference(TInterface value) => value as GrainReference
        ?? throw new InvalidOperationException($"{value.GetType()} is not a reference to a grain; a grain passes itself as this.AsReference<{typeof(TInterface).Name}>().");
}
