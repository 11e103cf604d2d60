using Orleans.Runtime;

namespace Orleans.Runtime
{
    /// <summary>Something that calls can be sent to.</summary>
    public interface IAddressable;
}

namespace Orleans
{
    /// <summary>Base of all grain interfaces; derive from one of those that name the kind of key.</summary>
    public interface IGrain : IAddressable;

    /// <summary>A grain whose key is a GUID.</summary>
    public interface IGrainWithGuidKey : IGrain;

    /// <summary>A grain whose key is a 64-bit integer.</summary>
    public interface IGrainWithIntegerKey : IGrain;

    /// <summary>A grain whose key is a string.</summary>
    public interface IGrainWithStringKey : IGrain;

    /// <summary>A grain whose key is a GUID and a string.</summary>
    public interface IGrainWithGuidCompoundKey : IGrain;

    /// <summary>A grain whose key is a 64-bit integer and a string.</summary>
    public interface IGrainWithIntegerCompoundKey : IGrain;
}
